'use client';

import { Fault } from '#components/frame/fault.tsx';

/** Rendered inside the frame, so that the rail stays. */
export default Fault;
