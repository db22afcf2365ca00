/** The page's style sheet; the page allows this one by its hash and nothing else. */
export const style = `
:root { color-scheme: light dark;
  --paper: #fcfbf8; --panel: #f4f2ec; --ink: #1c2127; --muted: #59626c; --line: #dcd8ce; --rail: #e6e2d8;
  --accent: #1b5a9c; --pass: #17694c; --fail: #a83a20; --warn: #7a4b00; --warn-paper: #fdf3dc;
  --s0: #1b5a9c; --s1: #b0480f; --s2: #17694c; --s3: #7a3b93; --s4: #8a6100; --s5: #9b2743; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #14171a; --panel: #1c2024; --ink: #e7e9ea; --muted: #a3acb5; --line: #33393f; --rail: #2b3136;
  --accent: #7db4ee; --pass: #66c9a0; --fail: #f0917a; --warn: #f0c069; --warn-paper: #2a2415;
  --s0: #7db4ee; --s1: #f2a36b; --s2: #66c9a0; --s3: #cf9be4; --s4: #e0bd55; --s5: #f08ba4; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 ui-sans-serif, system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main, header, footer, nav { max-width: 76rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 3rem; }
h1 { font-size: clamp(1.6rem, 4.5vw, 2.5rem); line-height: 1.15; letter-spacing: -.02em; margin: .25rem 0 1rem; font-weight: 650; }
h2 { font-size: 1.35rem; letter-spacing: -.01em; margin: 0 0 .5rem; font-weight: 650; }
h3 { font-size: 1rem; margin: 0; display: inline; font-weight: 600; }
section { margin: 3.5rem 0; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
code, pre, .source, .id { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, "DejaVu Sans Mono", monospace; font-size: .85rem; }
.eyebrow { color: var(--muted); margin: 0; font-size: .9rem; letter-spacing: .04em; }
.labels { list-style: none; display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; margin: 0 0 1.5rem; font-size: .875rem; }
.labels li { border: 1px solid var(--line); border-radius: 1rem; padding: .1rem .75rem; overflow-wrap: anywhere; }
.labels .loud { border-color: var(--warn); color: var(--warn); background: var(--warn-paper); font-weight: 600; }
.caveat { border-left: 4px solid var(--warn); background: var(--warn-paper); padding: 1rem 1.25rem; max-width: 60rem; border-radius: 0 4px 4px 0; }
.caveat p { margin: 0 0 .6rem; } .caveat p:last-child { margin: 0; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 1rem 0 0; margin: 0; font-size: .9rem; }
.note { overflow-wrap: anywhere; } .note, .range, .count { color: var(--muted); font-size: .85rem; font-weight: 400; }
.scroll { overflow-x: auto; background: linear-gradient(90deg, var(--paper) 40%, transparent) 0 0 / 2.5rem 100% no-repeat local, linear-gradient(270deg, var(--paper) 40%, transparent) 100% 0 / 2.5rem 100% no-repeat local, linear-gradient(90deg, var(--line), transparent) 0 0 / .9rem 100% no-repeat scroll, linear-gradient(270deg, var(--line), transparent) 100% 0 / .9rem 100% no-repeat scroll; margin: 1rem -.5rem 0; padding: 0 .5rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .55rem 1rem .55rem 0; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { font-size: .8rem; color: var(--muted); font-weight: 500; vertical-align: bottom; white-space: nowrap; }
tbody th { font-weight: 400; min-width: 7rem; }
.number { text-align: right; white-space: nowrap; }
tr.group th { padding: 1.1rem 0 .35rem; border-bottom: 0; } tbody:first-of-type tr.group th { padding-top: .6rem; } .about { color: var(--muted); font-size: .85rem; margin-left: .5rem; } .unknown { color: var(--muted); opacity: .85; }
.subject { font-weight: 600; overflow-wrap: anywhere; } .condition { display: inline-block; border: 1px solid var(--line); border-radius: 3px; padding: 0 .35rem; font-size: .85rem; max-width: 20rem; overflow-wrap: anywhere; }
th .note, td .range, td .note { display: block; }
.passed-of { white-space: nowrap; } .passed-of .note { white-space: normal; } .range { white-space: nowrap; }
.scale { display: flex; justify-content: space-between; width: 160px; padding: 0 2px; }
.interval { display: block; } .interval .axis, .interval .tick, .grid, .plot .tick { stroke: var(--line); fill: none; }
.interval .band { stroke: var(--accent); stroke-width: 6; stroke-linecap: butt; opacity: .45; fill: none; } .interval .dot { fill: var(--accent); stroke: var(--paper); stroke-width: 1.5; }
.share { display: block; width: 100%; height: 6px; margin-top: .3rem; } .share .rail { fill: var(--rail); }
.share.pass .fill { fill: var(--pass); } .share.fail .fill { fill: var(--fail); } .share.plain .fill { fill: var(--accent); opacity: .7; }
.beside { display: grid; grid-template-columns: minmax(0, 40rem) minmax(16rem, 1fr); gap: 1rem 3rem; align-items: start; } .plot { margin: 1rem 0 0; } .plot svg { display: block; width: 100%; height: auto; } .plot text { fill: var(--muted); font-size: 11.5px; } .plot .rung { fill: var(--ink); }
.series .line { fill: none; stroke-width: 2; } .series .whisker { fill: none; stroke-width: 1.5; opacity: .65; } .series .mark { stroke: var(--paper); stroke-width: 1; } .series .mark.cross { stroke-width: 3; fill: none; }
.s0 .line, .s0 .whisker { stroke: var(--s0); } .s0 .mark { fill: var(--s0); } .s1 .line, .s1 .whisker { stroke: var(--s1); } .s1 .mark { fill: var(--s1); }
.s2 .line, .s2 .whisker { stroke: var(--s2); } .s2 .mark { fill: var(--s2); } .s3 .line, .s3 .whisker { stroke: var(--s3); } .s3 .mark { fill: var(--s3); }
.s4 .line, .s4 .whisker { stroke: var(--s4); } .s4 .mark { fill: var(--s4); } .s5 .line, .s5 .whisker, .s5 .mark { stroke: var(--s5); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: 0; margin: .5rem 0; font-size: .9rem; } .legend svg { width: 28px; height: 14px; display: inline-block; vertical-align: -2px; margin-right: .4rem; }
.words { margin-top: 1rem; } .words dt { overflow-wrap: anywhere; }
.cards { display: grid; align-items: start; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: 1.25rem; margin-top: 1.75rem; }
.card { background: var(--panel); border-radius: 6px; padding: 1rem 1.25rem; } .card ol { list-style: none; margin: .75rem 0 0; padding: 0; } .card li { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; margin-bottom: .75rem; font-size: .9rem; }
.card li .share, .card li > .note { grid-column: 1 / -1; } .how-many { font-variant-numeric: tabular-nums; } .what { overflow-wrap: anywhere; }
.matrix td, .matrix th { padding: .3rem .75rem .3rem 0; } .matrix tbody th { white-space: nowrap; } .matrix th .note { display: inline; } .matrix .id { color: var(--muted); } .matrix thead th[scope=colgroup] { color: var(--ink); font-weight: 600; font-size: .85rem; }
.matrix a { text-decoration: none; white-space: nowrap; } .matrix a:hover { text-decoration: underline; } .word { font-size: .8rem; }
.passed { color: var(--pass); } .failed { color: var(--fail); } .missing { color: var(--muted); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.caveats, .facts-list { margin: 1rem 0 0; } .caveats > div, .facts-list > div { display: grid; grid-template-columns: 12rem 1fr; gap: 0 1.5rem; padding: .7rem 0; border-top: 1px solid var(--line); }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; max-width: 52rem; }
details { border-top: 1px solid var(--line); } details details { border-top: 0; } summary { cursor: pointer; padding: .45rem 0; overflow-wrap: anywhere; } summary:hover { color: var(--accent); }
details.cell > summary, #prompts > details > summary { padding: .75rem 0; } #prompts details details, .attempt { margin-left: 1rem; }
.attempt { content-visibility: auto; contain-intrinsic-size: auto 2.4rem; color: var(--ink); } .attempt.attempt { color: inherit; } .attempt > summary { font-size: .95rem; } .attempt .glyph { display: inline-block; width: 1.1em; text-align: center; }
.attempt.passed .glyph, .attempt.passed .verdict { color: var(--pass); } .attempt.failed .glyph, .attempt.failed .verdict { color: var(--fail); } .attempt.missing .glyph, .attempt.missing .verdict { color: var(--muted); }
.attempt .verdict { font-size: .85rem; margin-left: .5rem; } .attempt .sample { color: var(--muted); font-size: .85rem; }
details > div[id] { scroll-margin-top: 4rem; } .attempt .body { padding: .25rem 0 1.25rem 1.4rem; } .attempt .body:target { box-shadow: -3px 0 0 var(--accent); } .attempt .body p { margin: .25rem 0; } .attempt .facts { color: var(--muted); font-size: .85rem; overflow-wrap: anywhere; } .detail { overflow-wrap: anywhere; }
.source { display: grid; grid-template-columns: auto 1fr; background: var(--panel); border-radius: 6px; padding: .75rem 0; margin: .6rem 0; overflow-x: auto; line-height: 1.5; } .source pre { margin: 0; line-height: 1.5; tab-size: 4; }
.source .gutter { color: var(--muted); text-align: right; padding: 0 .9rem; user-select: none; } .source .code { padding-right: 1rem; } .source .diagnostic { color: var(--fail); padding-right: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; } .source .diagnostic.warning { color: var(--warn); }
pre.text { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--panel); border-radius: 6px; padding: .75rem 1rem; margin: .4rem 0 .8rem; line-height: 1.5; }
.filter { border: 0; padding: 0; margin: .75rem 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .9rem; } .filter legend { float: left; margin-right: 1rem; color: var(--muted); }
#attempts:has(#show-failed:checked) .attempt:not(.failed, :has(:target)), #attempts:has(#show-passed:checked) .attempt:not(.passed, :has(:target)), #attempts:has(#show-missing:checked) .attempt:not(.missing, :has(:target)) { display: none; }
footer { color: var(--muted); font-size: .85rem; padding-bottom: 3rem; }
@media (max-width: 62rem) { .beside { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 40rem) { main, header, footer, nav { padding-left: 1rem; padding-right: 1rem; } header { padding-top: 1.5rem; } section { margin: 2.5rem 0; } .caveats > div, .facts-list > div { grid-template-columns: 1fr; } tbody th { min-width: 6rem; } .matrix tbody th { white-space: normal; min-width: 10rem; } .plot text { font-size: 14.5px; } th, td { padding-right: .9rem; } .attempt, #prompts details details { margin-left: 0; } .attempt .body { padding-left: 0; } }
@media (max-width: 40rem) { .stacked, .stacked tbody, .stacked tr, .stacked th, .stacked td { display: block; } .stacked thead { display: none; }
  .stacked tr { padding: .6rem 0; border-bottom: 1px solid var(--line); } .stacked tr.group { border-bottom: 2px solid var(--line); padding: .8rem 0 .3rem; } .stacked tr.group th { padding: 0; } .stacked th, .stacked td { border: 0; padding: .2rem 0; }
  .stacked .about { display: block; margin: .2rem 0 0; } .stacked th .note { display: inline; } .stacked td { display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); gap: 0 .75rem; text-align: left; white-space: normal; align-items: baseline; } .stacked td::before { content: attr(data-label); color: var(--muted); font-size: .85rem; grid-column: 1; grid-row: 1 / span 9; }
  .stacked td:has(.interval) { align-items: center; } .stacked td > * { grid-column: 2; } .stacked .range, .stacked td .note { white-space: normal; } .funnel td { grid-template-columns: 8.5rem 2.5rem minmax(3rem, 1fr); } .funnel td .share { grid-column: 3; align-self: center; margin: 0; } }
@media print { nav, .filter { display: none; } .scroll { overflow: visible; } }
`
