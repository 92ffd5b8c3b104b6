import { Fragment } from 'react';
import { BreakableText } from './breakable-text.tsx';

/** A sentence in which text in backticks is rendered as code. */
export function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, index) => {
    const key = `${index}${part}`;
    return index % 2 === 1 ? (
      <code key={key} className="text-ink [overflow-wrap:anywhere]">
        <BreakableText text={part} />
      </code>
    ) : (
      <Fragment key={key}>{part}</Fragment>
    );
  });
}
