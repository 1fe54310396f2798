import { attentionStyle } from './attention/attention-scale.ts';
import { graphStyle } from './attention/graph-style.ts';
import { chartStyle } from './chart/chart-style.ts';

const graph = graphStyle({
  text: 'var(--text)',
  muted: 'var(--muted)',
  paper: 'var(--paper)',
  cell: 'var(--cell)',
  walk: 'var(--walk)',
});

/** Everything that a page needs: nothing is fetched. A box that scrolls has a shadow at each side where there is more of it. Printed, it is light whatever the screen is. */
export const reportStyle = `
:root{color-scheme:light dark;--text:#1f2430;--muted:#626b7c;--faint:#e2e5eb;--paper:#fff;--cell:#eceef2;--edge:#cfd4dd;--walk:#c8324a;--better:#0067a3;--worse:#b34700}
@media screen and (prefers-color-scheme: dark){:root{--text:#dfe3ec;--muted:#9aa4b8;--faint:#2c3340;--paper:#14171f;--cell:#232936;--edge:#3b4353;--walk:#ff7b8a;--better:#6bb8f2;--worse:#ff9a5c}}
@media print{:root{color-scheme:light}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem 1.25rem 4rem;max-width:74rem;background:var(--paper);color:var(--text);font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;overflow-wrap:break-word;-webkit-text-size-adjust:100%}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .5rem;letter-spacing:-.01em}
h2{font-size:1.25rem;margin:3rem 0 .5rem;padding-top:.75rem;border-top:1px solid var(--faint)}
h3{font-size:1rem;margin:2rem 0 .6rem;font-variant-numeric:tabular-nums}
h4{font-size:.9rem;margin:1.4rem 0 .5rem;font-weight:600}
p,figcaption{max-width:46rem}
p{margin:.4rem 0 .8rem}
a{color:inherit}
nav{margin:1rem 0;color:var(--muted)}
nav a{margin-right:1.1rem;white-space:nowrap}
.lead,.caption,.note,.unit,.std,.status{color:var(--muted)}
.caption{font-size:.85rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
figure{margin:0}
.scroll{overflow-x:auto;background:linear-gradient(90deg,var(--paper) 40%,transparent) 0 0/2rem 100% no-repeat local,linear-gradient(270deg,var(--paper) 40%,transparent) 100% 0/2rem 100% no-repeat local,linear-gradient(90deg,var(--edge),transparent) 0 0/.8rem 100% no-repeat,linear-gradient(270deg,var(--edge),transparent) 100% 0/.8rem 100% no-repeat}
.variant{overflow-wrap:normal}.variant span{white-space:nowrap}
table{border-collapse:collapse;font-size:.875rem;line-height:1.35;font-variant-numeric:tabular-nums;border-top:2px solid var(--text);border-bottom:2px solid var(--text)}
th{text-align:left;font-weight:400}
thead th{font-weight:600;vertical-align:bottom;padding-top:.4rem;padding-bottom:.4rem;border-bottom:1px solid var(--text);white-space:nowrap}
td,th{padding:.16rem .7rem;vertical-align:top}
td:first-child,th:first-child{padding-left:.2rem}
.number{text-align:right;white-space:nowrap}
tbody tr:first-child>*{padding-top:.5rem}
tbody tr:last-child>*{padding-bottom:.5rem}
tbody+tbody{border-top:1px solid var(--faint)}
.model{font-weight:600}tr .model[colspan] .note{display:inline;margin-left:.6em}
.note{display:block;font-weight:400;font-size:.78rem}
.std{font-size:.78rem;font-weight:400;display:inline-block;width:4.7rem;text-align:left;white-space:pre}
svg.mark{fill:currentColor;height:.62em;width:auto;vertical-align:-.02em}
tbody th{color:var(--muted);padding-right:1rem}tbody th.model,.ceiling th{color:inherit}
.best{font-weight:650}
.unfinished{font-style:italic;color:var(--muted)}
.better{color:var(--better)}.worse{color:var(--worse)}.better .std,.worse .std{color:inherit}
.ceiling{font-style:italic}.reached td{color:var(--muted)}.ceiling .note{font-style:normal}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,26rem),1fr));gap:1.5rem 2rem;margin:.75rem 0 1.25rem}
.charts figure{max-width:36rem}
@media (min-width:58rem){.learning figure:nth-child(2){grid-column-start:1}}
.belts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,12.8rem),1fr));gap:1.25rem 1.5rem;margin:1rem 0}
.belts figure{max-width:30rem}
.steps{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(30%,7.2rem),1fr));gap:.7rem .6rem}
.steps figure{max-width:12rem}
.graphs{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,32rem),1fr));gap:1.25rem 1.5rem;margin:.75rem 0}
.graphs figure{max-width:46rem}
.graph{display:block;width:100%;height:auto;fill:none}
figcaption{font-size:.85rem;font-weight:600;margin-top:.3rem}
.steps figcaption{font-size:.75rem;font-weight:400;font-variant-numeric:tabular-nums;display:flex;justify-content:space-between;margin-top:.1rem}
.steps .note{display:inline;font-size:inherit}
.map{display:block;width:100%;height:auto;fill:none}
.symbols{position:absolute}
.nodes{fill:var(--cell);stroke:var(--paper);stroke-width:.12}
.cells{stroke:var(--paper);stroke-width:.12}
.edges{stroke:var(--edge);stroke-width:.07;fill:none}
.field{stroke:var(--muted);stroke-width:.07;fill:none;opacity:.55}
.walk,.walker,.path,.arrows{fill:none;stroke-linejoin:round;stroke-linecap:round}
.stopped,.stops .halo{fill:none;stroke-linecap:round}
.stopped{stroke:var(--walk);stroke-width:.14}.stops .halo{stroke:var(--paper);stroke-width:.34}
.walk .halo{stroke:var(--paper);stroke-width:.5}
.walk .mark{stroke:var(--walk);stroke-width:.22}
.walker .halo{stroke:var(--paper);stroke-width:.55}
.walker .mark{stroke:var(--walk);stroke-width:.3}
.path{stroke:var(--walk);stroke-width:.16;opacity:.6}
.arrows{stroke:var(--text);stroke-width:.12}
.key{display:flex;flex-wrap:wrap;align-items:center;gap:.3rem 1.2rem;font-size:.8rem;color:var(--muted);max-width:none}
.key svg{vertical-align:middle;font:10.5px system-ui,sans-serif;fill:var(--muted);font-variant-numeric:tabular-nums}
.key svg.walk{fill:none}
.runs{margin:.6rem 0}
dl{display:grid;grid-template-columns:5.5rem minmax(0,1fr);gap:.1rem .75rem;margin:.2rem 0;font-size:.85rem}
dt{color:var(--muted);grid-column:1}dd{margin:0;grid-column:2}dd b{font-weight:600}
code,pre{font:.8rem/1.45 ui-monospace,'SF Mono',Menlo,Consolas,monospace}
pre{margin:.35rem 0 0;padding:.45rem .6rem;background:var(--cell);border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere}
@media (max-width:46rem){
body{padding:1.25rem 1rem 3rem}
td,th{padding-left:.3rem;padding-right:.3rem}
.number{min-width:0}
table{width:100%;font-size:.8rem}
.number .std{display:block;width:auto;text-align:right;font-size:.7rem;white-space:normal}
.overview .model{min-width:7rem}
tbody th{padding-right:.2rem}
.runs thead th{white-space:normal}
}
@media print{body{max-width:none;padding:0;font-size:9.5pt}h2,h3,h4{break-after:avoid}figure,tbody{break-inside:avoid}nav{display:none}.scroll{overflow:visible}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
${chartStyle}${attentionStyle}${graph}`;
