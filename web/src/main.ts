// Where the page begins: loads the engine, opens what the address asks for.

import { deliver } from "./deliver";
import { byId, text } from "./dom";
import { embed } from "./embed/frame";
import { message } from "./engine";
import { readLink } from "./link";
import { start } from "./opening";
import { Page } from "./page";
import { Engine } from "./remote";
import { Session } from "./session";
import { initTheme } from "./theme";
import { button } from "./ui/transport";

async function main(): Promise<void> {
  const link = readLink(location.hash);
  document.documentElement.classList.toggle("shot", link.shot);
  document.documentElement.classList.toggle("handed", link.to !== "");
  if (link.size) {
    byId("stage").style.width = `${link.size[0]}px`;
    byId("stage").style.height = `${link.size[1]}px`;
  }
  const themeButton = button("theme", "Light or dark", () => {});
  let page: Page | null = null;
  initTheme(themeButton, link.theme, () => page?.repaint());
  const session = new Session(await Engine.load());
  page = new Page(session, link, themeButton);
  // What takes long while the first scene is built and run ahead can be seen and stopped; a picture is drawn once.
  if (!link.to) page.begin();
  if (link.embed) return embed(session, page.stage, link, () => page?.repaint());
  await start(session, page.stage, link);
}

main().catch((thrown: unknown) => {
  const { to } = readLink(location.hash);
  if (to) void deliver(to, message(thrown));
  const loading = document.getElementById("loading");
  if (loading) text(loading, `The engine did not start: ${message(thrown)}`);
  console.error(thrown);
});
