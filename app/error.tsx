'use client';

import { Fault } from '#components/frame/fault.tsx';

export default function PageFault(props: { error: unknown; retry: () => void }) {
  return (
    <main id="main" tabIndex={-1} className="outline-none mx-auto max-w-[80ch] px-4 py-10">
      <Fault {...props} />
    </main>
  );
}
