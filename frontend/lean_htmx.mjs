// htmx without the parts that our pages never use: its history, elements that are preserved or wait to be seen, boosted
// links, `hx-on`, `hx-vals`, event filters (these need eval), partials, scripts in answers, and extensions. Each is emptied by
// name; a name that is gone stops the build.
import { readFile } from "node:fs/promises";

const EMPTIED = {
  addHxOnEventHandler: "",
  boostElement: "",
  cleanInnerHtmlForHistory: "return ''",
  deInitOnHandlers: "",
  determineHistoryUpdates: "return {}",
  duplicateScript: "",
  extensionBase: "return {}",
  findAndSwapPartials: "",
  getCachedHistory: "return null",
  getExtensions: "return []",
  getValuesForElement: "return {}",
  getExpressionVars: "return {}",
  getHXValsForElement: "return {}",
  getHXVarsForElement: "return {}",
  handlePreservedElements: "",
  initScrollHandler: "",
  insertIndicatorStyles: "",
  loadHistoryFromServer: "",
  maybeFilterEvent: "return false",
  maybeGenerateConditional: "return null",
  maybeReveal: "",
  normalizeScriptTags: "",
  processHxOnWildcard: "",
  pushUrlIntoHistory: "",
  replaceUrlInHistory: "",
  restoreHistory: "",
  restorePreservedElements: "",
  saveCurrentPageToHistory: "",
  saveToHistoryCache: "",
  shouldProcessHxOn: "return false",
};

export const leanHtmx = {
  name: "lean-htmx",
  setup(build) {
    build.onLoad({ filter: /htmx\.esm\.js$/ }, async ({ path }) => {
      let source = await readFile(path, "utf8");
      for (const [name, body] of Object.entries(EMPTIED)) source = emptied(source, name, body);
      return { contents: source, loader: "js" };
    });
  },
};

// The functions of htmx stand one level deep: each ends at the first brace that is indented by two.
function emptied(source, name, body) {
  const pattern = new RegExp(`\\n  function ${name}\\(([^)]*)\\) \\{\\n[^]*?\\n  \\}\\n`);
  if (!pattern.test(source)) throw new Error(`htmx has no function ${name} any more`);
  return source.replace(pattern, `\n  function ${name}($1) { ${body} }\n`);
}
