import { NativeSelect } from "@mantine/core";
import { isLanguageCode, languageNames } from "../../../../page/src/languages/language-codes.ts";
import { Section } from "../../components/section.tsx";
import { chooseAndReload, languageCode } from "../../language/language.ts";
import { t } from "../../language/t.ts";

/** The language of the dashboard in this browser. */
export function LanguageSection() {
  return (
    <Section title={t("Language")}>
      <NativeSelect
        aria-label={t("Language")}
        description={t("Applies to this browser.")}
        maw={420}
        value={languageCode}
        data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => {
          if (isLanguageCode(value)) chooseAndReload(value);
        }}
      />
    </Section>
  );
}
