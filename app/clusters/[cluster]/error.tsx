'use client';

import { Fault } from '#components/frame/fault.tsx';

/** Inside of the frame: the rail stays. */
export default Fault;
