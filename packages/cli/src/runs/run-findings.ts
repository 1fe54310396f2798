/** What `flowgrad doctor` says of a run folder. */
import { variantName, worldName } from '@flowgrad/evaluation';
import { examineRun } from '@flowgrad/evaluation/node';
import type { Finding } from '@flowgrad/evaluation/node';
import { counted } from '@flowgrad/files';
import { quoted } from '../terminal/quoted.ts';

export interface RunFindings {
  readonly folder: string;
  /** What the run is and how far it has come. */
  readonly state: string;
  /** What is wrong. */
  readonly findings: readonly Finding[];
  /** What is as it may be, but good to know. */
  readonly notes: readonly string[];
  /** What can be done about the findings. */
  readonly advice: readonly string[];
}

export async function findingsOf(folder: string): Promise<RunFindings> {
  const { config, epochs, result, findings, isListed, owner, foreign, fromEpochs } = await examineRun(folder);
  const what = config
    ? `${variantName(config)} on ${worldName(config)}`
    : 'a run whose config.json cannot be read';
  const reached = epochs && config ? `, ${epochs.length} of ${counted(config.epochs, 'epoch')}` : '';
  const resume = `flowgrad train --resume ${quoted(folder)}`;
  const notes: string[] = [];
  const isLost = findings.some(({ file }) => isManifest(file));
  if (!isListed && !isLost) {
    notes.push(
      'It has no manifest, as runs of older releases: what its files say was checked, not every byte of them.',
    );
  }
  if (owner?.state === 'dead') notes.push(`Left by ${owner.name}, which has ended; ${resume} tidies up.`);
  else if (owner) notes.push(`${owner.name} works in it, or has ended elsewhere.`);
  if (foreign.length > 0) notes.push(`Not of this run, and left alone: ${foreign.join(', ')}`);
  const advice: string[] = [];
  const others = findings.filter(({ file }) => !isManifest(file));
  if (findings.length > 0) advice.push('Put back a copy of the file, if there is one.');
  if (isLost) advice.push(`Or ${resume} lists the other files in a new manifest, as they are.`);
  if (others.length > 0) {
    const isInCheckpoints = others.every(({ file }) => file.startsWith('checkpoints/'));
    const later = fromEpochs.filter((epoch) => epoch > 0);
    if (!config)
      advice.push("The settings also stand in every .safetensors file of the run, as metadata 'run'.");
    else if (isInCheckpoints && later.length > 0 && !result) {
      advice.push(`Or ${resume} goes on from the checkpoint before.`);
    } else {
      for (const epoch of later)
        advice.push(`Or ${resume} --from-epoch ${epoch} goes on after epoch ${epoch}.`);
      advice.push(`Or ${resume} --from-epoch 0 begins anew.`);
    }
  }
  return { folder, state: `${what}${reached}, ${result ? 'done' : 'not done'}`, findings, notes, advice };
}

const isManifest = (file: string): boolean => file.startsWith('manifest-');

export function describeFindings({ folder, state, findings, notes, advice }: RunFindings): string {
  return [
    `${folder}: ${state}`,
    ...findings.map(({ file, problem }) => `✗ ${file}: ${problem}`),
    ...(findings.length === 0 ? ['Nothing is wrong.'] : advice.map((each) => `• ${each}`)),
    ...notes.map((each) => `  ${each}`),
  ].join('\n');
}
