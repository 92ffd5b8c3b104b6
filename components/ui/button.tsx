import Link from 'next/link';
import type { ComponentProps } from 'react';

export type ButtonKind = 'primary' | 'plain' | 'danger' | 'quiet';

const base =
  'inline-flex min-h-8 items-center justify-center gap-2 rounded-md border px-3 py-1.5 font-[560] whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50';

const kinds: Record<ButtonKind, string> = {
  primary: 'border-blue bg-blue text-on-blue enabled:hover:brightness-110',
  plain: 'border-edge bg-sheet text-ink enabled:hover:bg-sunk',
  danger: 'border-edge bg-sheet text-red enabled:hover:bg-red-tint',
  quiet: 'border-transparent bg-transparent text-blue enabled:hover:bg-blue-tint',
};

/** A button says what it does: "Switch 14 nodes to eBPF", not "Submit" (ui.md › Words). */
export function Button({
  kind = 'plain',
  type = 'button',
  className = '',
  ...rest
}: ComponentProps<'button'> & { kind?: ButtonKind }) {
  return <button type={type} className={`${base} ${kinds[kind]} ${className}`} {...rest} />;
}

/** A link with the look of a button; it changes nothing. */
export function ButtonLink({
  kind = 'plain',
  className = '',
  ...rest
}: ComponentProps<typeof Link> & { kind?: ButtonKind }) {
  return (
    <Link
      className={`${base} ${kinds[kind].replaceAll('enabled:', '')} no-underline ${className}`}
      prefetch={false}
      {...rest}
    />
  );
}
