import { Fragment } from 'react';

/** Text with addresses and names of DNS: where a line is too narrow for one, it breaks after a dot, a colon, a slash or a hyphen, never within a word. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=[^\s][.:/,-])(?=[^\s])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no names
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
