import { stateTint } from '#components/ui/state.ts';
import { StateIcon } from '#components/ui/state-icon.tsx';

/** Warnings about the connection to a cluster, above each of its pages; nothing if the connection is verified. */
export function ConnectionStrip({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <section
      aria-label="Connection to this cluster"
      className={`mb-4 flex flex-col gap-1 rounded-md border border-line px-3 py-2 text-sm ${stateTint.warn}`}
    >
      {warnings.map((warning) => (
        <p key={warning} className="flex items-start gap-2">
          <span className="mt-0.5">
            <StateIcon state="warn" />
          </span>
          <span className="min-w-0 break-words">{warning}</span>
        </p>
      ))}
    </section>
  );
}
