'use client';

import { useState } from 'react';
import { Button } from './button.tsx';

type Copied = 'not-yet' | 'copied' | 'refused';
const words: Record<Copied, string> = { 'not-yet': 'Copy', copied: 'Copied', refused: 'Select and copy it by hand' };

/** `of`: the name of the copied text, for screen readers. */
export function CopyButton({ text, of }: { text: string; of: string }) {
  const [copied, setCopied] = useState<Copied>('not-yet');
  const copy = async () => {
    setCopied(
      await navigator.clipboard.writeText(text).then(
        () => 'copied' as const,
        () => 'refused' as const,
      ),
    );
    setTimeout(() => setCopied('not-yet'), 2_500);
  };
  return (
    <Button kind="quiet" onClick={copy} aria-label={copied === 'not-yet' ? `Copy ${of}` : undefined} aria-live="polite">
      {words[copied]}
    </Button>
  );
}
