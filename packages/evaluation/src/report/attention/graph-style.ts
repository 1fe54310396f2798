/** How pictures of graphs look, in the colours of a page or in fixed ones. */
export const fontSize = 13;
export const fonts = "system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif";

/** What the picture is drawn in. */
export interface GraphColours {
  readonly text: string;
  readonly muted: string;
  readonly paper: string;
  readonly cell: string;
  readonly walk: string;
}

export const graphStyle = ({ text, muted, paper, cell, walk }: GraphColours): string => `
.graph .shaft{fill:none;stroke:${muted};stroke-linecap:round}.graph .head{fill:${muted}}
.graph .way .shaft{stroke:${walk}}.graph .way .head{fill:${walk}}
.graph .faint{fill:${cell};stroke:${muted};stroke-width:1}
.graph .end{fill:none;stroke:${walk};stroke-width:2.2;stroke-linejoin:round}
.graph text{stroke:${paper};stroke-width:3.5;stroke-linejoin:round;paint-order:stroke}
.graph .name{fill:${text}}.graph .type{fill:${walk};font-style:italic}
`;
