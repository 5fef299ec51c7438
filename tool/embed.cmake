# SPDX-License-Identifier: MIT
#
# cmake -D FOLDER=... -D OUT=... -P embed.cmake: page.html of that folder with
# page.css and page.js in their places, as bytes for a list in C.
file(READ ${FOLDER}/page.html page)
foreach(part STYLE:page.css SCRIPT:page.js)
	string(REPLACE ":" ";" part ${part})
	list(GET part 0 mark)
	list(GET part 1 file)
	file(READ ${FOLDER}/${file} content)
	string(REPLACE "@${mark}@" "${content}" page "${page}")
endforeach()
file(WRITE ${OUT}.html "${page}")
file(READ ${OUT}.html hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUT} "${bytes}\n")
