import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Example } from './examples.ts';

export const workspaceRoot = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * What the example prints, run by plain Node as an ES module against the built packages, with its types removed. Throws
 * when it fails, prints to standard error, or takes longer than five minutes.
 */
export async function runExample({ code, line }: Example): Promise<string> {
  // Nx asks its tasks for colours; a reader who pipes the output sees none.
  const env = { ...process.env, FORCE_COLOR: undefined };
  // Standard input is a module that resolves imports from the working directory: no file is needed.
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    cwd: workspaceRoot,
    env,
    timeout: 300_000,
  });
  const exit = new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => resolve(signal ?? `status ${status}`));
  });
  child.stdin.end(withoutTypes(code));
  const [output, errors, end] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  if (end !== 'status 0' || errors !== '') {
    throw new Error(`runExample: the example on line ${line} ended with ${end} and said\n${errors}`);
  }
  return output;
}

/** JavaScript for Node 20, line by line where it was. */
function withoutTypes(code: string): string {
  const { ES2022 } = ts.ScriptTarget;
  return ts.transpileModule(code, { compilerOptions: { target: ES2022, module: ts.ModuleKind.ESNext } })
    .outputText;
}
