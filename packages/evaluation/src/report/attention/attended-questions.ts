/** What the runs of a group on a dataset were asked, with the attended part of the graph of each model. */
import type { AttendedPart } from '../../run/run-record.ts';
import type { RunGroup } from '../group-runs.ts';
import { markup } from '../markup.ts';
import { nameMarkup } from '../name-markup.ts';
import type { Content, Markup } from '../markup.ts';
import { graphFigure } from './graph-figure.ts';
import { partNote, wayNote } from './part-notes.ts';

interface Question {
  readonly title: string;
  readonly shown: { readonly name: string; readonly part: AttendedPart }[];
}

/** Of each variant the first run that has left some; the same question stands once. */
function questionsOf({ variants }: RunGroup): Question[] {
  const questions = new Map<string, Question>();
  for (const { name, runs } of variants) {
    for (const part of runs.find(({ attention }) => attention?.attended)?.attention?.attended ?? []) {
      const title = questionTitle(part);
      const question = questions.get(title) ?? { title, shown: [] };
      question.shown.push({ name, part });
      questions.set(title, question);
    }
  }
  return [...questions.values()];
}

function questionTitle({ nodes, query, destination }: AttendedPart): string {
  const asked = query === undefined ? '' : `, asked for ${query}`;
  const answer = destination === undefined ? '' : `: ${nodes[destination].name}`;
  return `From ${nodes[0].name}${asked}${answer}`;
}

/** A row of pictures for each question; undefined where no run has left any. */
export function attendedFigures(group: RunGroup): Content {
  const questions = questionsOf(group);
  if (questions.length === 0) return undefined;
  return questions.map(
    ({ title, shown }): Markup =>
      markup`<h4>${title}</h4>\n<div class="graphs">${shown.map(({ name, part }) => {
        const way = wayNote(part);
        return markup`<figure>${graphFigure(part, `Attention of ${name}. ${title}`)}<figcaption>${nameMarkup(name)}<span class="note">${partNote(part)}</span>${
          way !== undefined && markup`<span class="note">likeliest way: ${way}</span>`
        }</figcaption></figure>\n`;
      })}</div>\n`,
  );
}
