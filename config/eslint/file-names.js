// @ts-check
/** File names: kebab-case, then role suffixes (`segment-sum.op.ts`), and never a word that says nothing. */
import { basename } from 'node:path';

const kebab = '[a-z0-9]+(-[a-z0-9]+)*';
const allowed = new RegExp(`^${kebab}(\\.${kebab})*$`);
const empty = ['utils', 'util', 'helpers', 'helper', 'common', 'manager', 'misc'];

/** @type {import('eslint').Rule.RuleModule} */
export const fileNames = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      kebab: 'file-names: expected kebab-case with role suffixes (segment-sum.op.ts), got {{name}}',
      empty: 'file-names: {{word}} says nothing about what {{name}} holds; name the concept',
    },
  },
  create: (context) => ({
    Program(node) {
      const name = basename(context.filename);
      if (!allowed.test(name)) context.report({ node, messageId: 'kebab', data: { name } });
      const word = name.split(/[.-]/).find((part) => empty.includes(part));
      if (word !== undefined) context.report({ node, messageId: 'empty', data: { word, name } });
    },
  }),
};
