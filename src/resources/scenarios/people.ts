/** First name and last name, parted by the first blank. */
const MEN = `Mateus Conceição|Søren Lindqvist|Emeka Okonjo|Wiremu Paratene|Tomasz Wiśniewski|Rashid El-Amrani|Oisín Brennan|Yuto Hayashida
Dmytro Kravets|Léo Marchandeau|Ángel Iturrioz|Kofi Mensa-Addo|Jae-won Noh|Björn Eklöv|Tevita Faleolo|Çağlar Demirtaş
Anh Trần|Gáspár Szűcsi|Étienne Rouvière|Samir Haddadine|Isaac Mbekane|Piotr Grabowiec|Deshawn Carteret|Luka Perišan
Henrik Ståhlberg|Ibrahim Sowande|João Peixotinho|Kieran Whitlock|Lamine Fofanah|Marcus Thornbury|Nikola Jovanić|Finn O’Rourke
Callum Reyes|Arjun Venkataraghavan|Pieter van der Westhuizen|Konstantinos Papadimitropoulos|Noah Ashworth|Jonas Haugland|Mihai Ionescu-Brătianu|Tama Rangihuna
Zubair Qureshi|Eero Mäkelä|Hugo Castellanos|Bilal Hosseini|Owen Llewellyn|Kenji Moriyama|Ruben Achterberg|Thabo Nkosana
Milan Šćepanović|Ioane Tuilagi|Declan Prycehurst|Andri Sigurðsson|Femi Adeyemo|Caleb Winterbourne`

const WOMEN = `Aroha Tamihana|Maja Lindqvist|Chidinma Eze|Siobhán Ní Dhomhnaill|Katarzyna Wójcik|Leila Benhaddou|Hana Nishimura|Freya Ashdown
Oksana Tkachenko|Camille Desrosiers|Itziar Etxeberria|Ama Boateng|Seo-yeon Baek|Elsa Bergström|Mele Taufa|Zeynep Yıldırım
Linh Đặng|Réka Halász|Océane Thibault|Yasmin Al-Khatib|Naledi Dlamini|Agnieszka Zając|Imani Whitaker|Petra Horvatić
Ingrid Solbakken|Folake Ogunleye|Beatriz Guimarães|Niamh Gallagher|Fatou Camara|Georgia Harcourt|Jelena Marković|Aoife O’Sullivan
Paige Morrison|Lakshmi Subramaniam|Anneke van den Heuvel|Alexandra Papadopoulou-Kristiansen|Harriet Penhallow|Sigrun Haugen|Ioana Dumitrescu|Maia Te Kanawa
Ayesha Rahman|Aino Virtanen|Lucía Montenegro|Parisa Farahani|Cerys Llewellyn|Misaki Ono|Femke Brouwer|Thandiwe Mokoena
Dragana Stanković|Sina Leota|Orla Prendergast|Guðrún Ólafsdóttir|Temitope Balogun|Clara Winterbourne`

const listed = (text: string) => text.split(/[|\n]/)

const POOLS = { men: listed(MEN), women: listed(WOMEN) }
export type Pool = keyof typeof POOLS

export type Name = { firstName: string; lastName: string }

export function nameOf(text: string): Name {
  const blank = text.indexOf(' ')
  return { firstName: text.slice(0, blank), lastName: text.slice(blank + 1) }
}

/** As many people as asked for, no two alike; another `from` begins elsewhere among them. */
export function peopleOf(pool: Pool, from: number, count: number): Name[] {
  const names = POOLS[pool]
  return Array.from({ length: count }, (_, index) => nameOf(names[(from + index) % names.length] ?? ''))
}
