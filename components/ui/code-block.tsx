import { BreakableText } from './breakable-text.tsx';
import { CopyButton } from './copy-button.tsx';

/** Preformatted text in its own scrolling box, also by keyboard. `label`: its name. `height`: of the box; *limited* leaves what comes after it in sight. */
export function CodeBlock({
  label,
  children,
  height = 'whole',
}: {
  label: string;
  children: string;
  height?: keyof typeof heights;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.2, 2.1.1).
    <section aria-label={label} tabIndex={0} className={`overflow-x-auto ${heights[height]}`}>
      <pre className="min-w-0 whitespace-pre-wrap break-words text-ink-2">
        <BreakableText text={children} />
      </pre>
    </section>
  );
}

const heights = { whole: '', limited: 'max-h-96 overflow-y-auto print:max-h-none' } as const;

/** A command with a copy button. `of`: its name for screen readers; `on`: the background that it contrasts with. */
export function CommandBlock({ command, of, on = 'tint' }: { command: string; of: string; on?: keyof typeof grounds }) {
  return (
    <div
      className={`flex flex-wrap items-start justify-between gap-x-3 gap-y-1 rounded-md border border-line py-1 pr-1 pl-3 ${grounds[on]}`}
    >
      <div className="min-w-0 flex-1 basis-40 py-1.5">
        <CodeBlock label={of} height="limited">
          {command}
        </CodeBlock>
      </div>
      <span className="ml-auto print:hidden">
        <CopyButton text={command} of={of} />
      </span>
    </div>
  );
}

const grounds = { sheet: 'bg-sunk', tint: 'bg-sheet' } as const;
