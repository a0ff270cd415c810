// The editor of the programs in the page: CodeMirror, which `dtviz_run.mjs` bundles.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

/** Return an editor; Ctrl+Enter calls `run`, and Escape lets the next Tab lead on. */
globalThis.dtvizEditor = (label, hint, run) =>
  new EditorView({
    extensions: [
      lineNumbers(),
      highlightActiveLine(),
      history(),
      bracketMatching(),
      indentOnInput(),
      indentUnit.of("    "),
      pythonLanguage,
      syntaxHighlighting(classHighlighter),
      // Without tabindex, who checks pages by program takes what scrolls for out of reach.
      EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": hint, tabindex: "0" }),
      keymap.of([
        { key: "Mod-Enter", run: () => (run(), true) },
        indentWithTab,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
    ],
  });
