'use client';

import { type ReactNode, useEffect, useId, useRef } from 'react';

/**
 * The browser's modal dialog, which traps the focus, closes on Escape and restores the focus. For confirmations only, never for a lost connection.
 */
export function Dialog({
  open,
  onClose,
  title,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      className="m-auto w-[min(60ch,calc(100vw-32px))] rounded-md border border-line bg-sheet p-6 text-ink shadow-float backdrop:bg-[#00000066]"
    >
      {open && (
        <>
          <h2 id={titleId} className="mb-2 text-lg font-semibold">
            {title}
          </h2>
          {children}
        </>
      )}
    </dialog>
  );
}
