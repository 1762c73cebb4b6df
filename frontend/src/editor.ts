// The code editor, CodeMirror 6 in a shadow root of its own: there its styles are constructed sheets, which the policy of
// the pages allows. The text box stays what is sent; the editor only writes into it.
import { history, historyKeymap, indentLess, indentMore, insertNewlineAndIndent, isolateHistory, standardKeymap } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers, WidgetType } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface Fault {
  line: number;
  words: string;
}

export interface Words {
  label: string;
  help: string;
}

const INDENT = "    ";
const setFaults = StateEffect.define<Fault[]>();

class FaultWords extends WidgetType {
  readonly words: string;

  constructor(words: string) {
    super();
    this.words = words;
  }

  override eq(other: FaultWords): boolean {
    return other.words === this.words;
  }

  override toDOM(): HTMLElement {
    const place = document.createElement("div");
    place.className = "fault";
    place.textContent = `▲ ${this.words}`;
    return place;
  }
}

// A mark goes when its line is changed: what is said of it may no longer be true.
const faults = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let kept = marks.map(transaction.changes);
    if (transaction.docChanged && kept.size > 0) {
      transaction.changes.iterChangedRanges((_fromA, _toA, from, to) => {
        const [first, last] = [transaction.newDoc.lineAt(from).from, transaction.newDoc.lineAt(to).to];
        kept = kept.update({ filter: (start) => start < first || start > last });
      });
    }
    for (const effect of transaction.effects) if (effect.is(setFaults)) kept = marksOf(transaction.state, effect.value);
    return kept;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function marksOf(state: EditorState, found: Fault[]): DecorationSet {
  const marks = found
    .filter(({ line }) => line >= 1 && line <= state.doc.lines)
    .flatMap(({ line, words }) => {
      const { from, to } = state.doc.line(line);
      const widget = Decoration.widget({ widget: new FaultWords(words), block: true, side: 1 });
      return [Decoration.line({ class: "fault-line" }).range(from), widget.range(to)];
    });
  return Decoration.set(marks, true);
}

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], color: "var(--accent)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName))], color: "var(--q)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--k)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--v)" },
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: tags.className, color: "var(--q)", fontWeight: "600" },
]);

const look = EditorView.theme({
  "&": {
    maxHeight: "36rem",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius)",
    background: "var(--surface)",
    color: "var(--ink)",
    fontSize: "0.9em",
  },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", overflow: "auto", containerType: "inline-size" },
  ".cm-content, .cm-gutter": { minHeight: "14rem" },
  ".cm-content": { caretColor: "var(--ink)", paddingBlock: "8px" },
  ".cm-gutters": { background: "var(--sunken)", color: "var(--muted)", borderInlineEnd: "1px solid var(--line)" },
  ".fault-line": { background: "var(--wrong-wash)", boxShadow: "inset 3px 0 var(--wrong)" },
  ".fault": {
    // Long words wrap within what is in sight, however wide the lines of the program are.
    position: "sticky",
    left: "0",
    width: "calc(100cqi - 2.6rem)",
    boxSizing: "border-box",
    padding: "2px 6px 4px",
    background: "var(--wrong-wash)",
    boxShadow: "inset 3px 0 var(--wrong)",
    color: "var(--wrong)",
    fontFamily: "var(--sans)",
    whiteSpace: "pre-wrap",
  },
});

// Escape lets the next Tab leave; whatever else is typed gives Tab back to the text.
const keys = Prec.highest(
  keymap.of([
    { key: "Tab", run: indentOrInsert, shift: indentLess },
    {
      key: "Escape",
      run: (view) => {
        view.setTabFocusMode(true);
        return false;
      },
    },
    // Running and submitting are the form's; the editor must not take these for a new line.
    { key: "Mod-Enter", run: () => true },
    { key: "Shift-Mod-Enter", run: () => true },
    { key: "Enter", run: insertNewlineAndIndent },
  ]),
);

function indentOrInsert(view: EditorView): boolean {
  if (!view.state.selection.main.empty) return indentMore(view);
  view.dispatch(view.state.replaceSelection(INDENT), { userEvent: "input" });
  return true;
}

export class Editor {
  readonly #box: HTMLTextAreaElement;
  readonly #host = document.createElement("div");
  readonly #view: EditorView;
  readonly #listening = new AbortController();

  constructor(box: HTMLTextAreaElement, { label, help }: Words) {
    this.#box = box;
    this.#host.className = "code-editor";
    this.#host.lang = document.documentElement.lang;
    const root = this.#host.attachShadow({ mode: "open" });
    const description = document.createElement("p");
    description.id = "help";
    description.hidden = true;
    description.textContent = help;
    this.#view = new EditorView({
      root,
      state: EditorState.create({
        doc: box.defaultValue,
        extensions: [
          keys,
          lineNumbers(),
          history(),
          indentOnInput(),
          indentUnit.of(INDENT),
          EditorState.tabSize.of(4),
          pythonLanguage,
          syntaxHighlighting(colours),
          keymap.of([...standardKeymap, ...historyKeymap]),
          faults,
          look,
          EditorView.contentAttributes.of({
            "aria-label": label,
            "aria-describedby": "help",
            // The text is a stop of Tab anyway; said aloud, whoever checks knows that the box around it can be scrolled by keys.
            tabindex: "0",
            spellcheck: "false",
            autocapitalize: "off",
            translate: "no",
          }),
          EditorView.updateListener.of(({ docChanged, focusChanged, view }) => {
            if (docChanged) this.#write();
            if (docChanged || (focusChanged && !view.hasFocus)) view.setTabFocusMode(false);
          }),
        ],
      }),
    });
    root.append(description, this.#view.dom);
    // What was typed or laid in before the editor came is a step that undo takes back.
    this.#read();
    box.after(this.#host);
    box.classList.add("under-editor");
    box.tabIndex = -1;
    box.setAttribute("aria-hidden", "true");
    const { signal } = this.#listening;
    box.addEventListener("input", () => this.#read(), { signal });
    // The label and the links of a summary lead to the box.
    box.addEventListener("focus", () => this.#view.focus(), { signal });
  }

  // Where the server found something: lines count from 1.
  mark(found: Fault[]): void {
    this.#view.dispatch({ effects: setFaults.of(found) });
  }

  focus(): void {
    this.#view.focus();
  }

  remove(): void {
    this.#listening.abort();
    this.#view.destroy();
    this.#host.remove();
    this.#box.classList.remove("under-editor");
    this.#box.removeAttribute("tabindex");
    this.#box.removeAttribute("aria-hidden");
  }

  #write(): void {
    const text = this.#view.state.doc.toString();
    if (this.#box.value === text) return;
    this.#box.value = text;
    this.#box.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // A file, a draft or a test has written into the box: one step, which undo takes back.
  #read(): void {
    const { doc } = this.#view.state;
    const text = this.#box.value;
    if (doc.toString() === text) return;
    const changes = { from: 0, to: doc.length, insert: text };
    this.#view.dispatch({ changes, annotations: isolateHistory.of("full") });
  }
}
