import { ActionIcon, Menu } from "@mantine/core";
import { IconCheck, IconLanguage } from "@tabler/icons-react";
import { isLanguageCode, languageNames } from "../../../page/src/languages/language-codes.ts";
import { chooseAndReload, languageCode } from "../language/language.ts";
import { t } from "../language/t.ts";

/** Chooses the language on pages without a session; members choose it in their profile. */
export function LanguageMenu() {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t("Language")}>
          <IconLanguage size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(languageNames).map(([code, name]) => (
          <Menu.Item
            key={code}
            lang={code}
            onClick={() => {
              if (isLanguageCode(code)) chooseAndReload(code);
            }}
            rightSection={
              code === languageCode ? <IconCheck size={16} aria-label={t("selected")} /> : null
            }
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
