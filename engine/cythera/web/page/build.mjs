// Builds the page: src/ and index.html into ../static/, with a digest of what it was made from.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, '..', 'static');

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: ['src/main.ts', 'src/style.css'],
  outdir: target,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  loader: { '.svg': 'dataurl' },
  logLevel: 'warning',
});
for (const name of ['index.html', 'icon.svg']) cpSync(join(here, 'src', name), join(target, name));

// The same digest is made by setup.py, to know whether there is anything to do.
const digest = createHash('sha256');
const names = ['package-lock.json', 'build.mjs', ...readdirSync(join(here, 'src')).map((name) => `src/${name}`)];
for (const name of names.sort()) digest.update(name + '\n').update(readFileSync(join(here, name)));
writeFileSync(join(target, 'sources.txt'), digest.digest('hex') + '\n');
