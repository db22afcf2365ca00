function positionAt(text,offset){let before=text.slice(0,offset),lineStart=before.lastIndexOf(`
`)+1,line=1;for(let at=before.indexOf(`
`);at>=0;at=before.indexOf(`
`,at+1))line++;return{line,column:[...before.slice(lineStart)].length+1}}export{positionAt as t};