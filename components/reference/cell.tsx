import { StateIcon } from '#components/ui/state-icon.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import type { ReferenceRow } from '#lib/reference/index.ts';

/** A cell of the reference. An unknown value is marked as unknown; how to find it out is below it, or once above the table. */
export function Cell({ value }: { value: ReferenceRow['cells'][number] }) {
  if (typeof value === 'string') return <WithCode text={value} />;
  return (
    <span className="text-violet">
      <span className="inline-flex items-center gap-1 font-[560]">
        <StateIcon state="unknown" /> unknown
      </span>
      {value.unknown !== '' && (
        <span className="block text-ink-2">
          To find out: <WithCode text={value.unknown} />
        </span>
      )}
    </span>
  );
}
