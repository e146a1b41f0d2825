import { InvalidConfigError } from '../../config/config-problem.ts'
import { keyUse, type OrderKey } from '../../config/settings/order-settings.ts'
import { profiles, type Profile } from '../../config/profiles.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import type { Effects } from '../effects.ts'
import { approximateDuration, count } from '../render/quantities.ts'
import { checkAnswers, chosenDatasets, NEEDS, problemOf, type RawAnswers } from './check-answers.ts'
import { CHOICE_LEGEND, choiceText, costLines } from './cost-text.ts'
import { DEFAULTS } from './defaults.ts'
import { coinOffers, CURRENCY_OFFERS, EVERY_OFFERS, startOffers, type Offer } from './offers.ts'
import { priceAnswers, type PricedAnswers } from './price-answers.ts'
import { Cancelled, Questions, type Choice } from './questions.ts'
import { studies } from './studies.ts'
import { withOpen } from '../run/closing-after.ts'

type TextKey = Exclude<keyof RawAnswers, 'studies' | 'datasets'>

/**
 * Asks for each answer that the flags lack, with the calls beside each choice, and checks it at once.
 *
 * @param target name of the file
 * @throws Cancelled
 */
export async function askAnswers(
  effects: Effects,
  given: RawAnswers,
  target: string,
): Promise<RawAnswers> {
  return await withOpen(new Questions(effects), async (questions) => {
    const interview = new Interview(questions, given, effects.clock.nowMs())
    await interview.askService()
    await interview.askStudies()
    await interview.askWhat()
    await interview.askWhen()
    await interview.confirm(target)
    return interview.raw
  })
}

class Interview {
  readonly raw: RawAnswers
  readonly #nowMs: number
  readonly #questions: Questions

  constructor(questions: Questions, given: RawAnswers, nowMs: number) {
    this.raw = { ...given }
    this.#questions = questions
    this.#nowMs = nowMs
  }

  async askService(): Promise<void> {
    const { raw } = this
    if (raw.profile === undefined) {
      const choices = Object.values(profiles).map((profile): Choice => {
        return { value: profile.name, title: profile.title, cost: limitsText(profile) }
      })
      raw.profile = await this.#questions.one('Which service?', choices, DEFAULTS.profile)
    }
    const profile = Object.values(profiles).find(({ name }) => name === raw.profile)
    await this.#text(
      'baseUrl',
      'What is the URL of the service?',
      profile?.defaultBaseUrl ?? DEFAULTS.baseUrl,
    )
    if (profile?.monthlyCalls === null) {
      await this.#text('monthlyCalls', 'How many calls a month may the key make? (Enter: unknown)')
    }
  }

  async askStudies(): Promise<void> {
    const { raw } = this
    if (raw.studies !== undefined || raw.datasets !== undefined) return
    this.#questions.say(CHOICE_LEGEND)
    const choices = studies.map(({ name, title, hint }): Choice => {
      return { value: name, title, hint, cost: this.#costOf({ studies: [name] }) }
    })
    const message = 'What do you want to study?'
    raw.studies = await this.#questions.several(message, choices, DEFAULTS.studies)
    // A useless flag is reported now and not at the end.
    checkAnswers(raw, this.#nowMs)
  }

  /** Asks for coins and other ids, currencies, and the steps of histories. */
  async askWhat(): Promise<void> {
    if (this.#usesKey('coins')) {
      const needsCoins = this.#chosen().some((one) => keyUse(one, 'coins') === 'required')
      await this.#choose('coins', 'Which coins?', coinOffers(!needsCoins))
    }
    for (const { key, isNeeded, fallback, question } of NEEDS) {
      const isAsked = question !== undefined && this.#chosen().some(isNeeded)
      if (isAsked) await this.#text(key, question, fallback)
    }
    if (this.#usesKey('vs_currencies')) {
      await this.#choose('vs', 'In which currencies?', CURRENCY_OFFERS)
    }
    if (this.raw.granularity === undefined) await this.#askSteps()
  }

  async askWhen(): Promise<void> {
    const offers = startOffers(this.#nowMs, this.raw.profile)
    if (this.#usesKey('from')) await this.#choose('from', 'From when on?', offers)
    if (this.#usesKey('every')) {
      await this.#choose('every', 'How often will it run, and snapshots be taken?', EVERY_OFFERS)
    }
  }

  async confirm(target: string): Promise<void> {
    this.#questions.say(costLines(this.#price({})).join('\n'))
    const message = target === '-' ? 'Print the file?' : `Write ${target}?`
    if (!(await this.#questions.yes(message))) throw new Cancelled()
  }

  /** Asks for steps until each dataset offers one of them. Each step makes an order. */
  async #askSteps(): Promise<void> {
    const steps: string[] = []
    for (const { granularities, name } of this.#chosen()) {
      if (granularities.length < 2 || granularities.some((one) => steps.includes(one))) continue
      const choices = granularities.map((value): Choice => {
        const cost = this.#costOf({ granularity: [...steps, value].join(',') })
        return { value, title: value, cost }
      })
      const initial = granularities.find((one) => one === DEFAULTS.granularity) ?? granularities[0]
      const message = `How far apart are the points? (${name})`
      steps.push(...(await this.#questions.several(message, choices, [initial!])))
    }
    if (steps.length > 0) this.raw.granularity = steps.join(',')
  }

  async #text(key: TextKey, message: string, proposed = ''): Promise<void> {
    if (this.raw[key] !== undefined) return
    const problemOfText = (typed: string): string | undefined => this.#problemOf({ [key]: typed })
    this.raw[key] = await this.#questions.text(message, proposed, problemOfText)
  }

  async #choose(key: TextKey, message: string, offers: readonly Offer[]): Promise<void> {
    if (this.raw[key] !== undefined) return
    const choices = offers.map(({ title, value }, index): Choice => {
      const cost = value === null ? '' : this.#costOf({ [key]: value })
      return { value: String(index), title, cost }
    })
    const offer = offers[Number(await this.#questions.one(message, choices, '0'))]
    if (offer?.typed === undefined) {
      this.raw[key] = offer?.value ?? undefined
      return
    }
    const { answerOf, proposed } = offer.typed
    const typed = await this.#questions.text(offer.typed.message, proposed, (text) =>
      this.#problemOf({ [key]: answerOf(text) }),
    )
    this.raw[key] = answerOf(typed)
  }

  #chosen(): Dataset[] {
    const names = chosenDatasets(this.raw)
    return datasets.filter(({ name }) => names.includes(name))
  }

  #usesKey(key: OrderKey): boolean {
    return this.#chosen().some((dataset) => keyUse(dataset, key) !== 'refused')
  }

  #problemOf(more: Partial<RawAnswers>): string | undefined {
    return problemOf({ ...this.raw, ...more }, this.#nowMs)
  }

  #price(more: Partial<RawAnswers>): PricedAnswers {
    const config = checkAnswers({ ...this.raw, ...more }, this.#nowMs)
    return priceAnswers(config, this.#nowMs)
  }

  #costOf(more: Partial<RawAnswers>): string {
    try {
      return choiceText(this.#price(more))
    } catch (error) {
      if (!(error instanceof InvalidConfigError)) throw error
      return 'does not fit the earlier answers'
    }
  }
}

function limitsText({ rate, monthlyCalls }: Profile): string {
  if (rate === null || monthlyCalls === null) return 'limits are learned from its answers'
  return `${rate.calls} calls per ${approximateDuration(rate.perMs)}, ${count(monthlyCalls)} a month`
}
