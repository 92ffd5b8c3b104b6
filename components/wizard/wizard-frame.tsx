import type { ReactNode } from 'react';

/** Steps at the left, the question in the middle, the preview at the right; stacked on narrow screens. `wide`: for the review. */
export function WizardFrame({
  steps,
  children,
  preview,
}: {
  steps: ReactNode;
  children: ReactNode;
  preview: ReactNode | null;
}) {
  const columns =
    preview === null
      ? 'lg:grid-cols-[216px_minmax(0,1fr)]'
      : 'lg:grid-cols-[216px_minmax(0,1fr)] xl:grid-cols-[216px_minmax(0,64ch)_minmax(16rem,1fr)]';
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 ${columns}`}>
      <div className="min-w-0 lg:sticky lg:top-6">{steps}</div>
      <div className="min-w-0">{children}</div>
      {preview !== null && (
        <aside className="min-w-0 lg:col-start-2 xl:sticky xl:top-6 xl:col-start-3">{preview}</aside>
      )}
    </div>
  );
}
