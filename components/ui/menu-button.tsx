'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/**
 * A menu among buttons, which opens over the content below. Escape, or a click or the focus elsewhere, closes it. Opens without script too.
 */
export function MenuButton({
  summary,
  align = 'left',
  children,
}: {
  summary: ReactNode;
  /** The edge of the button to which the menu is aligned. */
  align?: 'left' | 'right';
  /** `close`: closes the menu after a choice. */
  children: ReactNode | ((close: () => void) => ReactNode);
}) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (!details.current?.open) return;
    details.current.removeAttribute('open');
    details.current.querySelector('summary')?.focus();
  };
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !details.current?.contains(target)) details.current?.removeAttribute('open');
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, []);
  return (
    <details
      ref={details}
      className="group/menu relative"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget))
          currentTarget.removeAttribute('open');
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        event.stopPropagation();
        close();
      }}
    >
      <summary className="inline-flex min-h-8 list-none items-center gap-1 rounded-md border border-edge bg-sheet px-3 py-1.5 font-[560] whitespace-nowrap transition-colors select-none group-open/menu:bg-sunk hover:bg-sunk [&::-webkit-details-marker]:hidden">
        {summary}
      </summary>
      <div
        className={`absolute z-20 mt-1 w-max max-w-[calc(100vw-3rem)] rounded-md border border-line bg-sheet p-3 shadow-float ${align === 'right' ? 'right-0' : 'left-0'}`}
      >
        {typeof children === 'function' ? children(close) : children}
      </div>
    </details>
  );
}
