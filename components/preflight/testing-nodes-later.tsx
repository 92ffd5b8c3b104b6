'use client';

import { lazy, Suspense } from 'react';
import type { PreflightView } from '#lib/console/wire.ts';
import type { StepPlace } from '#lib/console/wizard/index.ts';

/** Loaded only when nodes are tested, because it follows a stream. */
const TestingNodes = lazy(async () => ({ default: (await import('./testing-nodes.tsx')).TestingNodes }));

export function TestingNodesLater(props: { place: StepPlace; view: PreflightView }) {
  return (
    <Suspense fallback={null}>
      <TestingNodes {...props} />
    </Suspense>
  );
}
