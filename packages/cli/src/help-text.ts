/** Help, made of the table of commands. */
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { wrapped } from './terminal/wrapped.ts';

export function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Usage: flowgrad <command> [flags]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'flowgrad help <command> shows its flags and examples; flowgrad --version the version.',
  ].join('\n');
}

export function commandHelp({ summary, usage, flags, examples }: Command): string {
  const rows = [
    ...Object.entries(flags).map(([name, { value, about, initial }]) => {
      const isPlain = typeof initial === 'string' || typeof initial === 'number';
      const text = isPlain || Array.isArray(initial) ? String(initial) : '';
      const byDefault = text === '' || about.includes('(default') ? '' : ` (default ${text})`;
      return [`--${name}${value === undefined ? '' : ` ${value}`}`, `${about}${byDefault}`] as const;
    }),
    ['--help', 'this text'] as const,
  ];
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return [
    `Usage: flowgrad ${usage}`,
    '',
    summary,
    '',
    ...rows.map(([flag, about]) => `  ${flag.padEnd(width)}  ${wrapped(about, 100 - width, width + 4)}`),
    '',
    'Examples:',
    ...examples.flatMap(({ line, about }) => ['', `  # ${about}`, `  flowgrad ${line}`]),
  ].join('\n');
}
