import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** Time, timers, randomness and the network reach the code as arguments; only these files touch the real ones. */
const realWorldAdapters = [
  "src/platform/kernel/system-*.ts",
  "src/platform/kernel/timestamp.ts",
  "src/platform/db/read-values*.ts",
  "test/**",
  "src/main/**",
  "client/**",
  "web/**",
];

export default tseslint.config(
  {
    ignores: [
      "**/node_modules",
      "web/dist",
      "client/dist",
      "**/*.config.*",
      "*.cjs",
      "**/*.gen.ts",
      "bin/**",
      "scripts/**",
      "plugins/**",
      // Compiled as an integrator does, against the packed client (test/client-package.test.ts).
      "client/examples/**",
      // Served as it is written, without a build.
      "web/docs/*.js",
      "web/embed/*.js",
      "web/dashboard/public/*.js",
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/strict-boolean-expressions": [
        "error",
        { allowString: false, allowNumber: false, allowNullableObject: false },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/prefer-nullish-coalescing": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "no-restricted-globals": [
        "error",
        "Date",
        "setTimeout",
        "setInterval",
        "setImmediate",
        "fetch",
      ],
      "no-restricted-imports": [
        "error",
        { name: "fast-check", message: "test/support/property.ts has it, with the run's seed." },
      ],
      "no-restricted-properties": [
        "error",
        { object: "Math", property: "random" },
        { object: "Number", property: "parseFloat" },
      ],
    },
  },
  {
    files: realWorldAdapters,
    rules: { "no-restricted-globals": "off", "no-restricted-properties": "off" },
  },
  { files: ["web/**/*.tsx", "web/**/use-*.ts"], ...reactHooks.configs.flat["recommended-latest"] },
  {
    // The payment page is Preact with signals, which are changed by assignment; its effects answer to the one change they name.
    files: ["web/page/**"],
    rules: { "react-hooks/immutability": "off", "react-hooks/exhaustive-deps": "off" },
  },
  { files: ["test/support/property.ts", "web/**"], rules: { "no-restricted-imports": "off" } },
  {
    files: ["**/*.test.ts", "**/*.test.tsx", "test/**"],
    rules: { "@typescript-eslint/no-non-null-assertion": "off" },
  },
);
