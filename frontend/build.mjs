// Writes the scripts and the style sheet of the pages. The same sources always give the same bytes.
import { build } from "esbuild";

import { leanHtmx } from "./lean_htmx.mjs";

const target = "../exercises/static/exercises";
const browsers = ["chrome125", "firefox128", "safari17.5"];
const shared = { bundle: true, minify: true, charset: "utf8", target: browsers, legalComments: "none", logLevel: "warning" };

await build({ ...shared, entryPoints: ["src/site.ts"], outfile: `${target}/site.js`, format: "iife", plugins: [leanHtmx] });
await build({ ...shared, entryPoints: ["src/code.ts"], outfile: `${target}/code.js`, format: "esm" });
await build({ ...shared, entryPoints: ["src/entry/index.ts"], outfile: `${target}/entry.js`, format: "esm" });
await build({ ...shared, entryPoints: ["src/editor.ts"], outfile: `${target}/editor.js`, format: "esm" });
await build({ ...shared, entryPoints: ["src/offline.ts"], outfile: `${target}/offline.js`, format: "iife" });
await build({ ...shared, entryPoints: ["src/lab.ts"], outfile: `${target}/lab.js`, format: "esm" });
await build({ ...shared, entryPoints: ["src/desk.ts"], outfile: `${target}/desk.js`, format: "iife" });
await build({ ...shared, entryPoints: ["src/watch.ts"], outfile: `${target}/watch.js`, format: "esm" });
await build({ ...shared, entryPoints: ["src/paper.ts"], outfile: `${target}/paper.js`, format: "iife" });
await build({ ...shared, entryPoints: ["styles/marking.css"], outfile: `${target}/desk.css` });
await build({ ...shared, entryPoints: ["styles/grades.css"], outfile: `${target}/grades.css` });
await build({ ...shared, entryPoints: ["styles/people.css"], outfile: `${target}/people.css` });
await build({ ...shared, entryPoints: ["styles/site.css"], outfile: `${target}/site.css`, external: ["*.woff2"] });
await build({ ...shared, entryPoints: ["src/charts.ts"], outfile: `${target}/charts.js`, format: "esm" });
await build({ ...shared, entryPoints: ["styles/charts.css"], outfile: `${target}/charts.css` });
