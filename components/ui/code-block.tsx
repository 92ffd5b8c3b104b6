import { Breakable } from './breakable.tsx';

/** Text as a machine reads it; scrolls in its own box, by keyboard too. `label` names it. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.2, 2.1.1).
    <section aria-label={label} tabIndex={0} className="overflow-x-auto">
      <pre className="min-w-0 whitespace-pre-wrap break-words text-ink-2">
        <Breakable text={children} />
      </pre>
    </section>
  );
}
