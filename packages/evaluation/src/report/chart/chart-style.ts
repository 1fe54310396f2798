import { lookColors } from './series-look.ts';

const looks = (colors: readonly string[]): string =>
  colors.map((color, i) => `.look-${i}{--look:${color}}`).join('');

/**
 * The style sheet of charts. It expects of the page the colours `--text`, `--muted`, `--faint` (grid lines) and
 * `--paper` (the background) as custom properties, and follows the reader's choice of light or dark for its own.
 */
export const chartStyle = `
${looks(lookColors.light)}
@media screen and (prefers-color-scheme: dark){${looks(lookColors.dark)}}
.chart{display:block;width:100%;height:auto;font:11px system-ui,sans-serif;fill:var(--text);font-variant-numeric:tabular-nums}
.chart .title{font-size:12.5px;font-weight:600}
.chart .unit{font-weight:400;fill:var(--muted)}
.chart .ticks,.chart text.gutter{fill:var(--muted)}
.chart .grid{stroke:var(--faint);fill:none}
.chart .axis{stroke:var(--muted);fill:none}
.chart .line{stroke:var(--look);stroke-width:1.8;fill:none;stroke-linejoin:round}
.chart .band{fill:var(--look);opacity:.14}
.chart .marker{fill:var(--look);stroke:var(--paper);stroke-width:.8}
.chart .bar{stroke:var(--look);stroke-width:1.4;fill:none}
.chart .estimate{stroke:var(--look);stroke-width:1.3;fill:var(--paper)}
.chart rect.gutter{fill:var(--faint);opacity:.35}
.chart path.level{stroke:var(--text);stroke-width:1;stroke-dasharray:1.5 3;fill:none}
.chart text.level{fill:var(--text);font-style:italic;paint-order:stroke;stroke:var(--paper);stroke-width:3px}
`;
