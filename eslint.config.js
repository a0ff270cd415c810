// What ESLint asks of every script: that names exist, and that functions and files stay short.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["_build/", ".venv*/", "dtviz/explorers/bundles/"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2025, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      complexity: ["error", 12],
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "max-depth": ["error", 4],
      "max-lines": ["error", { max: 400, skipComments: false }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "max-params": ["error", 5],
      "no-implicit-coercion": "error",
      "no-param-reassign": "error",
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-unused-vars": "error",
      "no-use-before-define": ["error", { functions: false, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  // What draws runs in a browser; a kernel computes, and knows no page. So do parts of the kit.
  {
    files: ["dtviz/**/*.js", "book/**/*.js"],
    ignores: ["dtviz/*/kernel*.js", "dtviz/explorers/static/computing/*.js"],
    languageOptions: { globals: globals.browser },
  },
  // The scripts of the pages are classic ones, which a browser runs from disk, too.
  {
    files: ["book/_static/**/*.js"],
    languageOptions: { sourceType: "script", globals: globals.browser },
  },
];
