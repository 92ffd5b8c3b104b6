import { Chevron } from '#components/ui/chevron.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateIcon } from '#components/ui/state-icon.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import type { ReferenceRecord, ReferenceTable } from '#lib/reference/index.ts';
import { Cell } from './cell.tsx';
import { SourceText } from './source-text.tsx';

/** More facts than these, and a record is closed until it is asked for. */
const mostAtOnce = 6;
const fewRecords = 3;

/** Records one below the other. Long ones are closed, unless a filter has left a few or an address leads to one. */
export function RecordList({
  part,
  isFiltered,
  opened,
}: {
  part: Extract<ReferenceTable, { kind: 'records' }>;
  isFiltered: boolean;
  opened: string | null;
}) {
  const areFew = isFiltered && part.records.length <= fewRecords;
  return (
    <Panel title={part.title} aside={part.records.length}>
      {part.intro !== '' && (
        <p className="max-w-[80ch] border-b border-line px-4 py-3 text-sm text-ink-2">
          <WithCode text={part.intro} />
        </p>
      )}
      {part.records.map((record) => {
        const isLong = record.facts.length > mostAtOnce;
        return isLong ? (
          <details
            key={`${record.id} ${areFew}`}
            // On the box itself: browsers open what a fragment lies in, and that pushes away what is below (reference-tables.tsx opens it).
            id={record.id}
            open={areFew || record.id === opened}
            className="border-t border-line first-of-type:border-t-0"
          >
            <summary className="flex list-none items-start gap-2 px-4 py-3 select-none hover:bg-sunk [&::-webkit-details-marker]:hidden">
              <span className="mt-1">
                <Chevron />
              </span>
              <span className="min-w-0 flex-1 min-[760px]:grid min-[760px]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] min-[760px]:gap-x-4">
                <span className="font-[560]">{record.title}</span>
                <Opening record={record} />
              </span>
            </summary>
            <div className="px-4 pb-4 min-[760px]:pl-9">
              <Facts record={record} />
            </div>
          </details>
        ) : (
          <article key={record.id} id={record.id} className="border-t border-line px-4 py-3 first-of-type:border-t-0">
            <h3 className="mb-1.5 flex items-center gap-2 font-[560]">
              {record.state !== 'idle' && <StateIcon state={record.state} />}
              {record.title}
            </h3>
            <Facts record={record} />
          </article>
        );
      })}
    </Panel>
  );
}

/** The first fact, in the line that opens the others. */
function Opening({ record: { state, facts } }: { record: ReferenceRecord }) {
  const [first] = facts;
  if (first === undefined) return null;
  return (
    <span className="flex gap-2 text-sm text-ink-2">
      {state !== 'idle' && (
        <span className="mt-[2px]">
          <StateIcon state={state} />
        </span>
      )}
      <span className="min-w-0">
        <Cell value={first.text} />
      </span>
    </span>
  );
}

function Facts({ record: { facts, commands, source, read } }: { record: ReferenceRecord }) {
  const labelled = facts.filter(({ label }) => label !== null);
  const notes = facts.filter(({ label }) => label === null);
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      {labelled.length > 0 && (
        <dl className="grid grid-cols-1 gap-x-4 gap-y-1.5 min-[760px]:grid-cols-[11rem_minmax(0,1fr)]">
          {labelled.map(({ label, text }) => (
            <div key={label} className="min-[760px]:contents">
              <dt className="text-ink-3">{label}</dt>
              <dd className="max-w-[90ch] [overflow-wrap:anywhere]">
                <Cell value={text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {notes.length > 0 && (
        <ul className="grid max-w-[90ch] grid-cols-1 gap-1">
          {notes.map(({ text }) => (
            <li key={JSON.stringify(text)} className="[overflow-wrap:anywhere]">
              <Cell value={text} />
            </li>
          ))}
        </ul>
      )}
      {commands !== null && <Commands commands={commands} />}
      <p className="text-ink-2 [overflow-wrap:anywhere]">
        <span className="text-ink-3">Source</span> <SourceText source={source} />.{' '}
        <span className="text-ink-3">Read</span>{' '}
        <time dateTime={read} className="whitespace-nowrap">
          {read}
        </time>
      </p>
    </div>
  );
}

function Commands({ commands: { when, texts } }: { commands: NonNullable<ReferenceRecord['commands']> }) {
  return (
    <div>
      <p className="mb-1 text-ink-3">{when}</p>
      {'unknown' in texts ? <Cell value={texts} /> : texts.length === 0 && <p>Nothing.</p>}
      {!('unknown' in texts) &&
        texts.map((text) => (
          <div key={text} className="mt-1 rounded border border-line bg-sunk px-3 py-2">
            <CodeBlock label={when}>{text}</CodeBlock>
          </div>
        ))}
    </div>
  );
}
