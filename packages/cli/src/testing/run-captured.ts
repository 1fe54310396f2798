/** A command line in this process, with what it said. */
import type { Output, Stage } from '../command.ts';
import { runCli } from '../run-cli.ts';

export interface Captured {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CaptureOptions {
  readonly isTTY?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
  readonly onStage?: (stage: Stage) => void;
}

export async function runCaptured(
  line: string | readonly string[],
  options: CaptureOptions = {},
): Promise<Captured> {
  const { isTTY = false, env = {}, signal = new AbortController().signal } = options;
  const said = { stdout: '', stderr: '' };
  const output = (name: keyof typeof said): Output => ({
    isTTY,
    columns: 120,
    write: (text) => {
      said[name] += text;
      options.onOutput?.(text);
    },
  });
  const words = typeof line === 'string' ? line.split(' ') : line;
  const enter = (stage: Stage): void => options.onStage?.(stage);
  const code = await runCli(words, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env,
    signal,
    enter,
  });
  return { code, ...said };
}

/** Small enough that a run takes a second. */
export const tinyWorld = 'SINE-SZ6-STP4-NDRP-STD0.2';
