// What is typed survives a reload or a lost connection, in this tab only, until it has been sent.
// A draft holds what the server had shown when it was typed: over anything newer it is not laid.
interface Draft {
  shown: string;
  values: [string, string][];
}

const PREFIX = "qkv-draft:";

export function keepDrafts(root: Document): void {
  root.addEventListener("input", (event) => {
    const form = event.target instanceof Element ? event.target.closest<HTMLFormElement>("form[data-draft]") : null;
    if (form) save(form);
  });
  root.addEventListener("keydown", (event) => {
    const form = event.target instanceof Element ? event.target.closest<HTMLFormElement>("form[data-draft]") : null;
    if (form && event.key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      save(form);
    }
  });
}

export function restoreDrafts(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-draft]")) restore(form);
}

function key(form: HTMLFormElement): string {
  return `${PREFIX}${form.dataset["draft"]}`;
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.querySelectorAll<Field>("input:not([type=hidden], [type=file]), select, textarea")];
}

function isTick(field: Field): field is HTMLInputElement {
  return field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio");
}

function shownBy(form: HTMLFormElement): string {
  return JSON.stringify(fieldsOf(form).map(shownIn));
}

function shownIn(field: Field): boolean | string {
  if (isTick(field)) return field.defaultChecked;
  if (field instanceof HTMLSelectElement) return [...field.options].find((option) => option.defaultSelected)?.value ?? "";
  return field.defaultValue;
}

function save(form: HTMLFormElement): void {
  const values = fieldsOf(form).map((field, place): [string, string] => [
    `${place}:${field.name}`,
    isTick(field) ? String(field.checked) : field.value,
  ]);
  const draft: Draft = { shown: shownBy(form), values };
  try {
    sessionStorage.setItem(key(form), JSON.stringify(draft));
  } catch {
    // A full or forbidden storage costs only the draft.
  }
}

function restore(form: HTMLFormElement): void {
  const stored = sessionStorage.getItem(key(form));
  if (!stored) return;
  const draft = JSON.parse(stored) as Draft;
  if (draft.shown !== shownBy(form)) {
    sessionStorage.removeItem(key(form));
    return;
  }
  const values = new Map(draft.values);
  fieldsOf(form).forEach((field, place) => {
    const value = values.get(`${place}:${field.name}`);
    if (value === undefined) return;
    if (isTick(field)) field.checked = value === "true";
    else field.value = value;
  });
}
