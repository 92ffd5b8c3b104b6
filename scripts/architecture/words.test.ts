import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Words that texts for people use in one form only. Flags, ids, JSON fields and names in the code are not texts, and keep their own words. */
const oneWord: readonly { was: RegExp; say: string }[] = [
  { was: /(?<!--)\backnowledg(?:e|es|ed|ing|ement)\b(?!:)/i, say: 'accept' },
  // `waiting for Whether …` is no sentence.
  { was: /^['"`>]Whether\b/, say: 'what is so' },
  { was: /\brepair(?:s|ed|ing)?\b/i, say: 'fix' },
  { was: /\b(?:without saying so|nothing says so|without a word)\b/, say: 'silently' },
  { was: /\bfor ever\b/, say: 'again and again' },
  { was: /\ball the same\b/, say: 'still' },
  { was: /\bstands? still\b/, say: 'stops, waits, is paused' },
  { was: /\banew\b/, say: 'again' },
  { was: /\b(?:is|are|was|were) (?:not )?dialled\b|\bdials\b/i, say: 'connects to, uses' },
  { was: /\bgo(?:es)? on\b/, say: 'continues, keeps …ing' },
  { was: /\bcarr(?:y|ies|ied) (?:it |this |the \S+ |run \S+ )?on\b/i, say: 'continue' },
  { was: /\bat the moment of the switch\b/, say: 'from the switch on' },
  { was: /\bcarr(?:y|ies) nothing out\b/, say: 'changes nothing' },
  { was: /\bon its way out\b/, say: 'partly removed' },
  { was: /\bvouch/i, say: 'accept, check' },
  { was: /\bNo \w+ is like that\b/, say: 'No matching …' },
  { was: /\bcannot be told\b|\bnobody (?:can tell|knows)\b/i, say: 'not verified' },
  {
    was: /\bnobody (?:answers|can ask|changed|enforces|looked|reads)\b/i,
    say: 'what does not answer, was not changed …',
  },
  {
    was: /\bsomebody (?:else )?(?:applied|began|changed|made|paused|set|than|wrote)\b/i,
    say: 'was applied, was set …',
  },
  // A riddle twice: neither what it is nor what is needed.
  {
    was: /(?<!\b[Tt]here )\b(?:is|are) no(?:ne)? (?!longer\b|more\b)/,
    say: 'is not a …, and an example of what is needed',
  },
  { was: /\bit is not known\b|\bnot known (?:whether|if)\b/i, say: 'not verified' },
  { was: /(?:--[a-z-]+|SIGNALBOX_[A-Z_]+) names (?:another|it)\b/, say: 'Name another … with --…' },
  { was: /\bis not whole\b/, say: 'is incomplete' },
  { was: /\bspeaks? against\b/i, say: 'doubt, fault' },
  // Kubernetes' own term; those of a machine are systemd services.
  { was: /(?<=[a-z:] )(?<!systemd )services\b/, say: 'Services' },
];

const root = join(import.meta.dirname, '../..');
const files = ['lib', 'app', 'components']
  .flatMap((top) => readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)))
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));

/** A text is a string or the content of a tag that has a blank in it. */
const texts = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|>[^<>{}=;()]*</g;
const inserted = /\$\{[^{}]*\}/g;

/** Each text with a refused word, and the word to use instead. */
function outdated(source: string): string[] {
  const code = source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return [...code.matchAll(texts)]
    .map(([text]) => text.replace(inserted, '…'))
    .filter((text) => / /.test(text))
    .flatMap((text) => oneWord.filter(({ was }) => was.test(text)).map(({ say }) => `say ${say}: ${text}`));
}

test('one word for one thing', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(
    files.flatMap((file) => outdated(readFileSync(join(root, file), 'utf8')).map((one) => `${file}: ${one}`)),
  ).toEqual([]);
});

test.each([
  ["steps: ['Acknowledge this when it is done.']", 1],
  ['<p>You acknowledge this risk</p>', 1],
  ["'or accept it: --acknowledge ID=REASON'", 0],
  ["'acknowledge: this id is not a check'", 0],
  ["unknown('Whether Services answer was not measured.')", 1],
  ["{ what: 'acknowledged' }", 0],
  ["'The agent restarts for ever, and nothing says so.'", 2],
  ["'Only the address above is dialled.'", 1],
  ["'Set the path by hand: the pods are not dialling it.'", 0],
  ["// acknowledge 'this or that'", 0],
  ["{ unknown: 'cannot be told: it was not read' }", 1],
  ["shows: 'an operator whose rollout somebody paused'", 1],
  ["'stop the console: somebody else signed in'", 0],
  ["'the proxy still runs: services pause'", 1],
  ["'systemd services and Services'", 0],
  ["'The run goes on.'", 1],
  ["'Carry run 7 on, or carry it on later'", 1],
  ["'x is no URL; write https://mirror.example'", 1],
  ["'there is no such file, and the context is no longer there'", 0],
  ["'Nothing is pinned here. --pins names another folder.'", 1],
])('%s', (source, found) => {
  expect(outdated(source)).toHaveLength(found);
});
