function e(e,t){let n=e.slice(0,t),r=n.lastIndexOf(`
`)+1,i=1;for(let e=n.indexOf(`
`);e>=0;e=n.indexOf(`
`,e+1))i++;return{line:i,column:[...n.slice(r)].length+1}}export{e as t};