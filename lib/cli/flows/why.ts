import { flowData } from '#lib/flows/index.ts';
import { jsonText, visibleLine } from '#lib/text/index.ts';
import {
  readWhyQuestion,
  type WhyAnswer,
  type WhyEnd,
  type WhyQuestion,
  type WhyVerdict,
} from '#lib/usecases/why/index.ts';
import { CliError, exit, usageError } from '../exit.ts';
import { type Terminal, wrap } from '../terminal/terminal.ts';

const arrows = new Set(['→', '->']);

export function whyQuestion(words: readonly string[]): WhyQuestion {
  const [from, to, ...more] = words.filter((word) => !arrows.has(word));
  if (from === undefined || to === undefined || more.length > 0)
    throw usageError('why takes two ends: signalbox flows why NAMESPACE/POD NAMESPACE/POD:PORT');
  const question = readWhyQuestion(from, to);
  if (typeof question === 'string') throw usageError(question);
  return question;
}

/** Prints why one pod reaches another or not. The first line says whether flows or policies answer. `words`: the time, `the last 15m`. */
export function tellWhy(answer: WhyAnswer, words: string, format: 'table' | 'json', terminal: Terminal): void {
  const { from, to, port, protocol, answeredBy } = answer;
  if (answeredBy === 'nobody') throw new CliError(exit.notAsAsked, visibleLine(answer.because));
  if (format === 'json') {
    terminal.out(jsonText({ apiVersion: 'signalbox.dev/v1', kind: 'Why', ...dataOf(answer) }, 2));
    return;
  }
  const question = `${from} → ${to}:${port} ${protocol}: ${verdictWords[answer.verdict]}`;
  const lines =
    answeredBy === 'flows'
      ? [
          `${question}, as the flow logs of ${words} have it.`,
          ...answer.flows.flatMap(({ sentence, trail, staged }) => [
            sentence,
            ...[...trail, ...(staged === null ? [] : [staged])].map(indented),
          ]),
          ...(answer.isCut ? ['There are more flows than are read at once: these are of the newest.'] : []),
        ]
      : [
          `${question}, judged from the policies as they are now. ${answer.noFlows}`,
          ...(answer.because === null ? [] : [indented(answer.because)]),
          ...answer.ends.flatMap(endLines),
          ...(answer.staged === null
            ? []
            : [
                `With the staged policies in force: ${verdictWords[answer.staged.verdict]}.`,
                ...answer.staged.ends.flatMap(endLines),
              ]),
        ];
  terminal.out(lines.map((line) => wrapLine(visibleLine(line), terminal)).join('\n'));
}

/** A public contract (cli.md). */
const dataOf = (answer: Exclude<WhyAnswer, { answeredBy: 'nobody' }>) =>
  answer.answeredBy === 'flows' ? { ...answer, flows: answer.flows.map(({ flow }) => flowData(flow)) } : answer;

const verdictWords: Readonly<Record<WhyVerdict, string>> = {
  allowed: 'allowed',
  denied: 'denied',
  unknown: 'not verified',
};
const directions = { source: 'At the source, egress of', destination: 'At the destination, ingress of' } as const;

const endLines = ({ end, pod, verdict, trail }: WhyEnd): string[] => [
  `${directions[end]} ${pod}: ${verdictWords[verdict]}.`,
  ...trail.map(indented),
];

/** Wraps a line; further lines are indented to its text. */
function wrapLine(line: string, { columns }: Terminal): string {
  const text = line.trimStart();
  const indent = line.slice(0, line.length - text.length);
  return wrap(text, columns, indent, `${indent}    `);
}

const indented = (line: string) => `  ${line}`;
