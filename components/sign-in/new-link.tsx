import { CopyButton } from '#components/ui/copy-button.tsx';

const command = 'bin/signalbox console link';

/** Where a new link comes from: only whoever may use this machine's account can ask for one. */
export function NewLink() {
  return (
    <section className="mt-6" aria-labelledby="new-link">
      <h2 id="new-link" className="font-semibold">
        Get a new link
      </h2>
      <p className="mt-0.5 text-ink-2">In the project's folder, as the user who started the console:</p>
      <div className="mt-2 flex items-center justify-between gap-3 rounded-md border border-line bg-sheet py-1.5 pr-1.5 pl-3">
        <code>{command}</code>
        <CopyButton text={command} of="the command" />
      </div>
    </section>
  );
}
