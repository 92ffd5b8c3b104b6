/** `npm run bpf`: builds the object from `bpf/`, lets the kernel verify it if it may, and writes it into the package and as an OCI image. */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadDataPlane } from '#lib/node/bpf/index.ts';
import { bytecodeImage, imageFolder } from './bytecode-image.ts';
import { built, compileObject, hashOfSources, lackingCompiler, mostInstructions } from './object.ts';

const lacking = lackingCompiler();
if (lacking) throw new Error(lacking);
const object = compileObject();
mkdirSync(dirname(built.object), { recursive: true });
writeFileSync(built.object, object);
if (process.getuid?.() === 0) {
  const { verified, close } = loadDataPlane({ object: built.object, pins: null });
  close();
  for (const [name, count] of Object.entries(verified)) console.log(`${name}: processed ${count} insns`);
  const tooLong = Object.entries(verified).filter(([, count]) => !(count <= mostInstructions));
  if (tooLong.length > 0) throw new Error(`More than ${mostInstructions} instructions: ${tooLong.join(', ')}.`);
} else {
  console.warn('The kernel did not verify the programs: that takes root.');
}
const sha256 = createHash('sha256').update(object).digest('hex');
writeFileSync(
  built.manifest,
  `${JSON.stringify({ compiler: 'clang 14.0.6', sources: hashOfSources(), object: sha256 }, null, 2)}\n`,
);
rmSync(imageFolder, { recursive: true, force: true });
for (const [path, bytes] of await bytecodeImage(object)) {
  mkdirSync(dirname(join(imageFolder, path)), { recursive: true });
  writeFileSync(join(imageFolder, path), bytes);
}
console.log(`${built.object}: ${object.length} bytes, sha256 ${sha256}`);
console.log(`${imageFolder}: an OCI layout, for amd64 and arm64`);
