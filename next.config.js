/**
 * The console's routes and components. The console itself is a server of ours (`lib/console`), which mounts Next's handler.
 * `scripts/start.mjs` names the folder of a build by the hash of its inputs, so that a failed build leaves the one before alone.
 * @type {import('next').NextConfig}
 */
export default {
  distDir: process.env.SIGNALBOX_BUILD ?? '.next/dev',
  poweredByHeader: false,
  // Types are checked by `tsc`, once, with the rest of the project. Next writes into the tsconfig that it is given.
  typescript: { ignoreBuildErrors: true, tsconfigPath: '.next/tsconfig.json' },
  images: { unoptimized: true },
  devIndicators: false,
};
