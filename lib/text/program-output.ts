import { mask, maskedText } from './mask.ts';
import { visible, visibleLine } from './visible.ts';

const longestLine = 200;
const longestWhole = 8_000;
/** More text would take long to examine, and nobody reads it. */
const longestRead = 64_000;

export type ProgramOutput = {
  /** For a sentence: one line of at most 200 characters. Empty if there was no output. */
  line: string;
  /** Shown only on request: the whole output, cut after 8,000 characters; null if the line is all of it. */
  whole: string | null;
};

/** The error output of a failed program in a form that is safe to repeat: anything like a secret is masked, and nothing controls a terminal. */
export function programOutput(stderr: string): ProgramOutput {
  const read = stderr
    .slice(0, longestRead)
    // Colours of a terminal.
    .replace(/\u001b\[[0-9;]{0,20}[A-Za-z]/g, '');
  const text = withoutLongWords(maskedText(read)).trim();
  const lines = text
    .split(/[\r\n]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const line = visibleLine(lines.find((one) => isError.test(one)) ?? lines[0] ?? '');
  const whole = text.length > longestWhole || stderr.length > longestRead ? `${text.slice(0, longestWhole)}…` : text;
  return {
    line: line.length > longestLine ? `${line.slice(0, longestLine)}…` : line,
    whole: lines.length > 1 || line.length > longestLine ? visible(whole.toWellFormed()) : null,
  };
}

/** Finds the error line, because programs often print warnings first. */
const isError = /^[\W\d]{0,40}(?:error|fatal|panic)\b/i;

/** Masks secrets of unknown form: long words of letters and digits. Our own mask contains blanks and so is not matched. */
function withoutLongWords(text: string): string {
  return text.replace(/[A-Za-z0-9+/_=.~-]{20,}/g, (word) =>
    /\d/.test(word) && /[A-Za-z]/.test(word) ? mask('looks like a credential') : word,
  );
}
