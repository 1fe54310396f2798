import { textTable } from '@flowgrad/files';

/** A table whose first two columns are words. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return textTable(header, rows, { left: 2, rule: false });
}
