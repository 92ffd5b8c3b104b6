import { Notice } from '#components/ui/notice.tsx';

/** Shortest reason in characters (mock/NOTES.md › findings). */
export const leastReason = 10;

/** Why an answer was not saved, by the code in the URL, for pages without script. */
export const refusals = {
  'acknowledge.reason': `A reason is needed, of at least ${leastReason} characters: it is recorded with the run.`,
  'draft.changed': 'The answers have changed meanwhile. Look at them, then answer again.',
} as const;

export function RefusedAnswer({ code }: { code: string | string[] | undefined }) {
  if (typeof code !== 'string') return null;
  const because =
    Object.entries(refusals).find(([one]) => one === code)?.[1] ?? 'Load the page again, then answer again.';
  return (
    <div role="alert" className="mb-4">
      <Notice state="bad" title="Your answer was not recorded">
        {because}
      </Notice>
    </div>
  );
}
