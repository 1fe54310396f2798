export { counted } from './counted.ts';
export { escapeXml } from './escape-xml.ts';
export { textTable } from './text-table.ts';
