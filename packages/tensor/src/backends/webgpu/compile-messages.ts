/// <reference types="@webgpu/types" />
/** What a device says of WGSL that it refuses, with where each mistake was written and the text around it. */
import type { Shader } from '../../core/shader.ts';

/** What tells where code was written. */
export type Written = Pick<Shader<string, never>, 'path' | 'pieces'>;

/** `ops/fill/fill.wgsl:24`, where a line of the code (from 1 on) was written; `wgsl:24` of a kernel given as text. */
export function writtenAt({ path, pieces = [] }: Written, line: number): string {
  let rest = line - 1;
  for (const { file, line: first, text } of pieces) {
    const lines = text.split('\n').length - 1;
    if (rest < lines) return `${file}:${first + rest}`;
    rest -= lines;
  }
  return `${path || 'wgsl'}:${line}`;
}

/** Undefined if the device has nothing to say. */
export async function compileErrors(
  shader: Shader<string, never>,
  module: GPUShaderModule,
): Promise<string | undefined> {
  const { messages } = await module.getCompilationInfo();
  const errors = messages.filter(({ type }) => type === 'error');
  if (errors.length === 0) return undefined;
  return errors
    .map(
      ({ lineNum, message }) => `${writtenAt(shader, lineNum)}: ${message}\n${textAround(shader, lineNum)}`,
    )
    .join('\n');
}

/** The line, marked, between its neighbours in the same file. */
export function textAround(shader: Written & { readonly code: string }, line: number): string {
  const code = shader.code.split('\n');
  const [file] = writtenAt(shader, line).split(':');
  return [line - 1, line, line + 1]
    .filter((number) => number >= 1 && number <= code.length)
    .map((number) => ({ number, place: writtenAt(shader, number).split(':') }))
    .filter(({ place }) => place[0] === file)
    .map(({ number, place }) => `${number === line ? '>' : ' '} ${place[1]} | ${code[number - 1]}`)
    .join('\n');
}
