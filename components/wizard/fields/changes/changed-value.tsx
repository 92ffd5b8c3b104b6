import { BreakableText } from '#components/ui/breakable-text.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';

/** A longer value, in characters, is folded behind a word. */
const mostShown = 160;

/** A field's value as it is in a file; `undefined`: the file does not have the field. */
export function ChangedValue({ value, of }: { value: unknown; of: string }) {
  if (value === undefined) return <span className="text-ink-3">not there</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '') return <span className="text-ink-3">empty</span>;
  if (text.length <= mostShown && !text.includes('\n'))
    return (
      <code className="text-ink [overflow-wrap:anywhere]">
        <BreakableText text={text} />
      </code>
    );
  return (
    <Disclosure
      summary={
        <>
          {typeof value === 'string' ? 'a longer text' : 'a whole block'}
          <span className="sr-only"> {of}</span>
        </>
      }
    >
      <pre className="max-h-60 overflow-auto rounded border border-line bg-sunk px-3 py-2 text-xs whitespace-pre-wrap text-ink [overflow-wrap:anywhere]">
        {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
      </pre>
    </Disclosure>
  );
}
