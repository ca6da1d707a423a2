import type { VNode } from "preact";
import { isLanguageCode, languageNames } from "../languages/language-codes.ts";
import { usePage } from "../page-context.ts";

export function LanguageSwitch(): VNode {
  const { messages, languageCode, setLanguage } = usePage();
  return (
    <label class="language">
      <span class="visually-hidden">{messages.value.language}</span>
      <select
        value={languageCode.value}
        onChange={({ currentTarget: { value } }) => {
          if (isLanguageCode(value)) void setLanguage(value);
        }}
      >
        {Object.entries(languageNames).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
