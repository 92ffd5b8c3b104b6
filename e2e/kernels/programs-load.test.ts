import { join } from 'node:path';
import { test as anyTest, expect } from 'vitest';
import { canRunPrograms } from '../dataplane/testing/can-run-programs.ts';
import { verdicts } from '../dataplane/testing/test-run.ts';
import type { Loaded } from './guest/say-loaded.ts';
import { liveOnArm64, runNodeOnKernel } from './testing/bare-machine.ts';
import { newerKernel } from './testing/debian-kernel.ts';
import { otherKernel } from './testing/other-kernels.ts';
import { recordLives } from './testing/recorded-lives.ts';

/**
 * Every program through the verifiers of other kernels than this machine's, by the agent's own loader, which does without what a kernel lacks
 * (`traffic.test.ts` has two more). Older ones refuse what newer ones take: a loop whose end falls through to its beginning, for one (`back-edge`).
 */

const script = join(import.meta.dirname, 'guest/load-programs.ts');
const programs = [
  ...['connect4', 'connect6', 'sendmsg4', 'sendmsg6', 'recvmsg4', 'recvmsg6', 'getpeername4', 'getpeername6'],
  ...['incoming', 'outgoing'],
];

const images = {
  '5.10': otherKernel('Debian 5.10')?.image ?? null,
  '6.12': newerKernel(),
};

for (const [version, image] of Object.entries(images))
  anyTest.runIf(image !== null)(`Linux ${version} loads each program, and lacks nothing`, async () => {
    if (image === null) return;
    const { code, output } = await runNodeOnKernel({ image, modules: [] }, [script], 600);
    expect(code, output).toBe(0);
    const { kernel, verified, lacks }: Loaded = JSON.parse(output);
    expect(kernel.startsWith(`${version}.`), kernel).toBe(true);
    expect(Object.keys(verified)).toEqual(programs);
    expect(lacks).toEqual([]);
  });

const arm64 = otherKernel('Debian arm64 with veth');

anyTest.runIf(arm64 !== null && canRunPrograms)(
  'a kernel for arm64 loads each program as it is, packets live there as they do here, and processes reach services',
  async () => {
    if (arm64 === null) return;
    const recording = await recordLives();
    const { loaded, lives, sockets } = await liveOnArm64(arm64, recording, 600);
    expect(loaded).toEqual(expect.arrayContaining([...programs, 'connect4_plain', 'connect6_plain']));
    const here = recording.chapters.flatMap((chapter) => chapter.lives);
    const line = (what: string | undefined, verdict: number, frame: Buffer) =>
      `${what}: ${verdict} ${frame.toString('hex')}`;
    expect(lives.map(({ verdict, frame }, at) => line(here[at]?.what, verdict, frame))).toEqual(
      here.map(({ what, verdict, left }) => line(what, verdict, left)),
    );
    const ofEach = ['served', expect.stringContaining('Connection refused')];
    expect(sockets).toEqual([...ofEach, ...ofEach]);
    // It is no test of packets that go nowhere.
    expect(here.filter(({ verdict }) => verdict === verdicts.redirect).length).toBeGreaterThan(here.length / 2);
  },
);
